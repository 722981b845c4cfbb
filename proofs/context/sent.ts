/** A request to a provider, read the same way for every shape. */

/** One piece of a conversation that an answer depends on. */
export type SentPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "answer" }
  | { readonly kind: "call"; readonly id: string }
  | { readonly kind: "result"; readonly id: string; readonly text: string };

export interface Sent {
  /** Everything that the model reads, in the order in which providers keep it: tools come first. */
  readonly pieces: readonly string[];
  readonly parts: readonly SentPart[];
}

/** What the provider says to it. */
export type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: object };

/** Providers refuse a call that its results do not follow, and a result without its call. */
export function isWhole({ parts }: Pick<Sent, "parts">): boolean {
  const open = new Set<string>();
  for (const part of parts) {
    if (part.kind === "call") open.add(part.id);
    else if (part.kind === "result") {
      if (!open.delete(part.id)) return false;
    } else if (open.size > 0) return false;
  }
  return open.size === 0;
}
