const frame = /^\n +at (?:[^\n]*?\()?((?:file:\/\/)?\/[^()\s]+:\d+:\d+)\)?(?:\n|$)/;

/** How long a place may be. */
const PLACE_LENGTH_MAX = 300;

/**
 * Where in the code an error was made: the frame directly behind its message. The message is
 * content, even if it looks like a frame: its author must not be able to name a place.
 */
export function placeOfError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { stack = "", message } = error;
  const at = typeof stack === "string" ? stack.indexOf(message) : -1;
  if (at < 0 || stack.slice(0, at).includes("\n")) return undefined;
  // An error without a message begins with its name alone.
  const end = message === "" ? stack.indexOf("\n") : at + message.length;
  const place = end < 0 ? undefined : frame.exec(stack.slice(end))?.[1];
  return place !== undefined && place.length <= PLACE_LENGTH_MAX ? place : undefined;
}

const word = /^[A-Za-z_][\w.]{0,63}$/;

/** The name of an error, where it is one: a tool may put anything there. */
export function nameOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { readonly code?: unknown };
  const named = [code, error.name].find((name) => typeof name === "string" && word.test(name));
  return typeof named === "string" ? named : "Error";
}
