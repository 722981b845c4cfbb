/** Answers of Node's HTTP client as a `Response`, with a limit for the body. */
import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";

/** Statuses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Makes a `Response`; `toBody` reads the body, if the status has one. */
export function toResponse(
  incoming: IncomingMessage,
  toBody: (incoming: IncomingMessage) => ReadableStream<Uint8Array>,
): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  const init = { status, statusText, headers };
  if (!WITHOUT_BODY.has(status)) return new Response(toBody(incoming), init);
  incoming.destroy();
  return new Response(null, init);
}

/** Passes bytes on up to a limit; one more byte ends the stream with the error of `refuse`. */
export function limitBytes(bytesMax: number, refuse: () => Error): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) done(refuse());
      else done(null, chunk);
    },
  });
}
