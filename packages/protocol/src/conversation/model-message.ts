/** Messages to and from a model, as the log keeps them. */
import type { JsonObject, JsonValue } from "../canonical-json.ts";
import type { EntryOrigin } from "../events/added-context.ts";
import type { FileRef } from "../files/index.ts";
import type { AnswerSource } from "../session/event-content.ts";

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | {
      readonly role: "user";
      readonly text: string;
      /** The origin of a text that is not by the user. It is not sent. */
      readonly origin?: EntryOrigin;
      /** Shown after the text, in this order. */
      readonly files?: readonly FileRef[];
    }
  | {
      readonly role: "assistant";
      readonly content: readonly ModelContent[];
      /** The backend and the model that gave it, where it is kept. It is not sent. */
      readonly by?: string;
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: JsonValue;
      /** Shown after the result, in this order. */
      readonly files?: readonly FileRef[];
    };

export type ModelContent =
  | ({ readonly kind: "text"; readonly text: string } & ReturnedToProvider)
  | ({ readonly kind: "reasoning"; readonly text: string } & ReturnedToProvider)
  | ({
      readonly kind: "tool-call";
      readonly toolCallId: string;
      readonly toolName: string;
      /** The arguments as the model wrote them: not parsed, not trusted. */
      readonly input: string;
    } & ReturnedToProvider)
  /** A file that the model made. */
  | ({ readonly kind: "file" } & FileRef & ReturnedToProvider)
  /** A source of the answer, from the provider. It is kept, and never sent back. */
  | ({ readonly kind: "source" } & AnswerSource);

interface ReturnedToProvider {
  /**
   * Data that the provider wants back with this part in later requests, such as the signature of a
   * thought. No other code reads it.
   */
  readonly providerData?: JsonObject;
}
