"""Where many independent solves run: one after another, or as joblib is told to."""

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Finished = Callable[[int], object]  # told how many tasks are finished


@dataclass(frozen=True)
class Workers:
    """Who solves: this process alone, or the workers of joblib's current backend."""

    joblib: Any  # the module; None where tasks run one after another in this process
    n_jobs: int | None
    at_once: int  # tasks that share the memory of this machine; 0 for a cluster, whose memory is its own matter

    def map(self, function: Callable[..., Any], tasks: list[tuple[Any, ...]], finished: Finished | None) -> list[Any]:
        """Return the function's answer to each task, in order; `finished` hears of every one that is done."""
        if self.joblib is None:
            return _one_after_another(function, tasks, finished)
        parallel = self.joblib.Parallel(n_jobs=self.n_jobs)
        if finished is not None:
            # joblib calls this whenever tasks are done, with every backend; not all of them can yield results early.
            parallel.print_progress = lambda: finished(parallel.n_completed_tasks)
        answers: list[Any] = parallel(self.joblib.delayed(function)(*task) for task in tasks)
        return answers


def find_workers(n_jobs: int | None) -> Workers:
    """Return the workers that `n_jobs` and a surrounding `joblib.parallel_config` stand for."""
    try:
        import joblib
    except ImportError:
        if n_jobs not in (None, 1):
            raise ImportError(f"`n_jobs={n_jobs}` needs joblib: pip install 'subspaceot[parallel]'.") from None
        return Workers(joblib=None, n_jobs=1, at_once=1)
    backend, _ = joblib.parallel.get_active_backend()
    if type(backend).__module__ != "joblib._parallel_backends":  # not one of joblib's own, all of which work here
        return Workers(joblib=joblib, n_jobs=n_jobs, at_once=0)
    at_once = joblib.effective_n_jobs(n_jobs)
    if at_once == 1:
        return Workers(joblib=None, n_jobs=1, at_once=1)
    return Workers(joblib=joblib, n_jobs=n_jobs, at_once=at_once)


@contextmanager
def progress_bar(total: int, show: bool, unit: str = "pair", text: str | None = None) -> Iterator[Finished | None]:
    """Yield what to tell the number of finished tasks, which a bar on stderr shows; None where none is wanted.

    It shows a fraction, and the time that is left, and is gone in the end; `text` says what is being done.
    """
    if not show:
        yield None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("`progress=True` needs tqdm: pip install 'subspaceot[parallel]'.") from None
    with tqdm(total=total, unit=unit, desc=text, leave=False) as bar:

        def finished(count: int) -> None:
            bar.update(count - bar.n)
            if count == total:
                bar.refresh()  # a bar that was drawn a moment ago would not be drawn again

        yield finished


def _one_after_another(
    function: Callable[..., Any], tasks: list[tuple[Any, ...]], finished: Finished | None
) -> list[Any]:
    """Return the answers of a thread of our own: this one stays free to hear Ctrl-C during a long transport."""
    answers: list[Any] = []
    errors: list[BaseException] = []
    stopped = threading.Event()

    def work() -> None:
        try:
            for task in tasks:
                if stopped.is_set():
                    return
                answers.append(function(*task))
                if finished is not None:
                    finished(len(answers))
        except BaseException as error:  # raised again where the caller sees it
            errors.append(error)

    # The caller's context holds NumPy's error state. A daemon does not keep an interrupted program from ending.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(timeout=0.1)  # without a limit, some systems would not hear Ctrl-C
    except BaseException:
        stopped.set()
        raise
    if errors:
        raise errors[0]
    return answers
