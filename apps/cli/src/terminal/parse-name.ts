import { InvalidArgumentError } from "commander";

/** Reads a name of the user's own; a variable of the shell that is not set gives none. */
export function parseName(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("The value is empty.");
}
