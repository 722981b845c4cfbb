import { LoopError } from "@turnseal/protocol";

export const VALUE_ERROR_CODES = [
  "VALUE_KEY_INVALID",
  "VALUE_INVALID",
  "VALUE_CHANGES_INVALID",
  "VALUE_SNAPSHOT_TOO_LARGE",
] as const;
export type ValueErrorCode = (typeof VALUE_ERROR_CODES)[number];

/** A request that no value state can do. Nothing was changed. */
export class ValueError extends LoopError<ValueErrorCode> {
  constructor(code: ValueErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}
