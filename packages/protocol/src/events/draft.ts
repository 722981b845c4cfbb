/** An event before the log gives it its place. */
import type { Actor } from "../actor.ts";
import type { JsonValue } from "../canonical-json.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import type { ContentOf, LoopEventType, PlaceOf } from "./event.ts";

/** The names of the fields that are content by reference. */
type RefNames<Content> = {
  [Name in keyof Content]-?: Exclude<Content[Name], undefined> extends BlobRef ? Name : never;
}[keyof Content];

/** Content may stand in `attached` until it is stored; a reference to it follows then. */
type DraftContent<Content> = Content extends unknown
  ? Omit<Content, RefNames<Content>> & Partial<Pick<Content, RefNames<Content>>>
  : never;

type Attached<Content> = Content extends unknown
  ? { readonly [Name in RefNames<Content>]?: JsonValue }
  : never;

/** A draft of one type of event, or of any. */
export type DraftOf<Type extends LoopEventType> = Type extends LoopEventType
  ? PlaceOf<Type> & {
      readonly type: Type;
      /** The kernel by default. */
      readonly actor?: Actor;
      readonly content: DraftContent<ContentOf<Type>>;
      /** Content by name: stored as blobs, named in the event by reference. */
      readonly attached?: Attached<ContentOf<Type>>;
    }
  : never;
