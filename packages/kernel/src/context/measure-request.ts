import type { ModelMessage, ModelRequest } from "@turnseal/ports";

// A conversation repeats its messages in every round: each is measured once, so that a long one
// does not cost its square.
const measured = new WeakMap<ModelMessage, number>();

/** The bytes of a request as JSON. */
export function measureRequest(request: Omit<ModelRequest, "model" | "signal">): number {
  const { messages } = request;
  const commas = Math.max(0, messages.length - 1);
  const listBytes = messages.reduce((sum, message) => sum + measureMessage(message), commas);
  return measureJson({ ...request, messages: [] }) + listBytes;
}

function measureMessage(message: ModelMessage): number {
  const known = measured.get(message);
  if (known !== undefined) return known;
  const bytes = measureJson(message);
  measured.set(message, bytes);
  return bytes;
}

function measureJson(value: object): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
