/**
 * Thrown when a stopped part would record something new. Only the ends of its open actions are
 * still recorded.
 */
export class StoppedError extends Error {
  constructor() {
    super("it was told to stop");
    this.name = "StoppedError";
  }
}
