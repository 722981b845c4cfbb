/**
 * Thrown where one of several that run beside each other was told to stop, and would say something
 * new: nothing is recorded of it any more but how what it had begun ended.
 */
export class StoppedError extends Error {
  constructor() {
    super("it was told to stop");
    this.name = "StoppedError";
  }
}
