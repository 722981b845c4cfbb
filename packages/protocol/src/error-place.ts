const frame = /^ +at .*?((?:file:\/\/)?\/[^()\s]+:\d+:\d+)\)?$/m;

/** Where in the code an error was made. Its words are content, and its place is not. */
export function placeOfError(error: unknown): string | undefined {
  return error instanceof Error ? frame.exec(error.stack ?? "")?.[1] : undefined;
}
