/** The place of the action key in a call, as an operator writes it. */

export type ActionKeyPlace =
  | { readonly kind: "args" | "meta"; readonly name: string }
  /** In lower case. */
  | { readonly kind: "header"; readonly name: string };

const ARGUMENT = /^args\.([A-Za-z_][\w-]{0,127})$/;
const META = /^meta:([A-Za-z0-9][\w./-]{0,127})$/;
const HEADER = /^header:([A-Za-z][A-Za-z0-9-]{0,63})$/;
/** Headers of the protocol and of HTTP itself, which a key must not replace. */
const TAKEN = /^(content|mcp|proxy)-/;
const TAKEN_NAMES = new Set([
  ...["authorization", "dpop", "cookie", "host", "accept", "last-event-id", "connection"],
  ...["transfer-encoding", "te", "trailer", "upgrade", "expect", "keep-alive"],
]);

/** Undefined for a text that names no place. */
export function parseActionKey(text: string): ActionKeyPlace | undefined {
  const [, argument] = ARGUMENT.exec(text) ?? [];
  if (argument !== undefined && argument !== "__proto__") return { kind: "args", name: argument };
  const [, meta] = META.exec(text) ?? [];
  // Names of the protocol itself begin with these.
  if (meta !== undefined && !/^(io\.modelcontextprotocol\/|progressToken$)/.test(meta))
    return { kind: "meta", name: meta };
  const header = HEADER.exec(text)?.[1]?.toLowerCase();
  if (header === undefined || TAKEN.test(header) || TAKEN_NAMES.has(header)) return undefined;
  return { kind: "header", name: header };
}
