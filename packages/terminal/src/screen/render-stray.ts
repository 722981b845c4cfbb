import { isLoopError, nameOfError, placeOfError } from "@turnseal/protocol";
import { type Line, line, renderNext, toned } from "./line.ts";
import { renderFailure } from "./render-failure.ts";

/**
 * An error that no code awaited, most often from a promise that a tool did not await. Its words are
 * content, and stay out: its name and its place find it.
 */
export function renderStray(error: unknown): Line[] {
  if (isLoopError(error)) return renderFailure(error);
  const place = placeOfError(error);
  const where = place === undefined ? "" : ` at ${place}`;
  return [
    line(toned("bad", "error: "), `unhandled error: ${nameOfError(error)}${where}`),
    renderNext("await every promise there; turnseal runs shows what can be resumed"),
  ];
}

/** No event is left that could happen, and the command is not done. */
export function renderStuck(): Line[] {
  const message = "a module or a tool is waiting on a promise that never settles";
  return [
    line(toned("bad", "error: "), message),
    renderNext("find the await that never returns: run the module by itself with node"),
  ];
}
