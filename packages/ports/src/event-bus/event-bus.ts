/**
 * Carries events of programs around runs to groups of consumers: at least once to each group.
 * Published events stay until they are trimmed, so that they can be read again.
 */
import type { JsonValue } from "@turnseal/protocol";

export interface EventBus {
  /**
   * Adds events to a topic, all or none, with the next numbers and nothing between them; answers
   * with the last number. MUST NOT resolve before a crash of this process leaves them there. If it
   * fails, they may be there: the publisher reads to find out.
   */
  publish(topic: string, events: readonly JsonValue[]): Promise<number>;
  /** Events from a number on, in order, at most `BUS_READ_MAX`. It concerns no group. */
  read(topic: string, from: number, limit?: number): Promise<readonly BusEvent[]>;
  /**
   * Hands events to a consumer of a group, in order. Events that the group has had for `holdMs`
   * without an acknowledgement come first, then new ones. An event MUST NOT go to both of two
   * concurrent callers. A group begins with the first event that there is.
   */
  take(topic: string, taking: Taking): Promise<readonly BusEvent[]>;
  /**
   * Says that the group is done with events. Once it is answered, none of them MUST be handed to
   * the group again. Every event that is not acknowledged MUST be handed out again.
   */
  acknowledge(topic: string, group: string, numbers: readonly number[]): Promise<void>;
  /**
   * Forgets events before a number, also those that a group has not seen: the owner decides that.
   */
  trim(topic: string, before: number): Promise<void>;
}

export interface BusEvent {
  /** From 1 in each topic, without gaps. */
  readonly number: number;
  readonly event: JsonValue;
}

export interface Taking {
  readonly group: string;
  readonly consumer: string;
  /** For how many milliseconds an event must have been another's to be handed to this one. */
  readonly holdMs: number;
  /** At most `BUS_TAKE_MAX`. */
  readonly limit?: number;
}

/** Events that are published at once, their bytes each, and the most that a topic holds. */
export const BUS_PUBLISH_MAX = 1_000;
export const BUS_EVENT_BYTES_MAX = 64 * 1024;
export const BUS_TOPIC_EVENTS_MAX = 100_000;
export const BUS_READ_MAX = 500;
export const BUS_TAKE_MAX = 100;
/** Events that are acknowledged at once. */
export const BUS_ACKNOWLEDGE_MAX = 1_000;
/** Groups of one topic. */
export const BUS_GROUPS_MAX = 100;
