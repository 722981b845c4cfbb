import { LoopError } from "@turnseal/protocol";

export const VALUE_ERROR_CODES = [
  "VALUE_KEY_INVALID",
  "VALUE_INVALID",
  "VALUE_CHANGES_INVALID",
  "VALUE_SNAPSHOT_TOO_LARGE",
] as const;
export type ValueErrorCode = (typeof VALUE_ERROR_CODES)[number];

/** What was asked of a value state cannot be done by any. Nothing was changed. */
export class ValueError extends LoopError<ValueErrorCode> {
  constructor(code: ValueErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}
