import type { Taking } from "./event-bus.ts";

/** The server's operations of a bus: on texts that `bindEventBus` has checked. */
export interface BusRows {
  publish(topic: string, bodies: readonly string[]): Promise<number>;
  read(topic: string, from: number, limit: number): Promise<readonly BusRow[]>;
  take(topic: string, taking: RowsToTake): Promise<readonly BusRow[]>;
  acknowledge(topic: string, group: string, numbers: readonly number[]): Promise<void>;
  trim(topic: string, before: number): Promise<void>;
}

export interface BusRow {
  readonly number: number;
  readonly body: string;
}

export type RowsToTake = Required<Taking>;
