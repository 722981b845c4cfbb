import type { JsonObject } from "../canonical-json.ts";
import { type FieldsOf, hasOnly, type Is, isListOf, isOneOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";
import { SEGMENT_STATUSES, TRACE_STATUSES } from "./lifecycles.ts";
import {
  type EmbeddedEvent,
  type Governed,
  governed,
  isEmbeddedEvent,
  isId,
  isMeta,
  isOpen,
  isSpan,
  type Meta,
  type Span,
} from "./object-parts.ts";

/** The work done, in segments. */
export interface TraceObject extends Governed {
  readonly meta: Meta;
  readonly trace_id: string;
  readonly context_id: string;
  readonly root_span: Span;
  readonly status: (typeof TRACE_STATUSES)[number];
  readonly plan_id?: string;
  readonly started_at?: string;
  readonly finished_at?: string;
  readonly segments?: readonly SegmentObject[];
  readonly events?: readonly EmbeddedEvent[];
}

export interface SegmentObject {
  readonly segment_id: string;
  readonly label: string;
  readonly status: (typeof SEGMENT_STATUSES)[number];
  readonly parent_segment_id?: string;
  readonly started_at?: string;
  readonly finished_at?: string;
  readonly attributes?: JsonObject;
}

export const segmentFields: FieldsOf<SegmentObject> = {
  always: { segment_id: isId, label: isText, status: isOneOf(SEGMENT_STATUSES) },
  sometimes: {
    parent_segment_id: isId,
    started_at: isDateTime,
    finished_at: isDateTime,
    attributes: isOpen,
  },
};
const isSegment: Is<SegmentObject> = hasOnly(segmentFields.always, segmentFields.sometimes);

export const traceFields: FieldsOf<TraceObject> = {
  always: {
    meta: isMeta,
    trace_id: isId,
    context_id: isId,
    root_span: isSpan,
    status: isOneOf(TRACE_STATUSES),
  },
  sometimes: {
    plan_id: isId,
    started_at: isDateTime,
    finished_at: isDateTime,
    segments: isListOf(isSegment),
    events: isListOf(isEmbeddedEvent),
    ...governed,
  },
};
