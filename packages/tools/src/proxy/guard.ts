/** Listeners that never throw: an error that leaves one ends the whole worker. */

/** Calls `fail` with the same arguments where `run` throws or rejects. `fail` must not throw. */
export function guard<Args extends readonly unknown[]>(
  run: (...args: Args) => void | Promise<void>,
  fail: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const running = run(...args);
      if (running instanceof Promise) running.catch(() => fail(...args));
    } catch {
      fail(...args);
    }
  };
}
