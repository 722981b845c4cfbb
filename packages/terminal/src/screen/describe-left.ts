/** Why a rollback leaves an action, for people. */
import type { RollbackHead } from "@turnseal/host";
import { sanitizeText } from "./sanitize-text.ts";

type LeftReason = RollbackHead["left"][number]["why"];

const reasons: Readonly<Record<LeftReason, string>> = {
  undeclared: "its tool declares no compensation",
  irreversible: "its tool says that it is final",
  expired: "it is too late",
  erased: "what it gave was erased",
  "compensation-missing": "what takes it back is not here",
  "compensation-changed": "what takes it back has other code than was declared",
  "compensation-unknown": "what takes it back may have done so, which is not known",
  abandoned: "it is not known whether it happened",
  unsealed: "its turn has no receipt",
  unrecorded: "the files that it changed are unknown",
  "too-large": "its input and result are larger than a rollback can hold",
};

/** Why an action is left as it is, in words. */
export function describeLeft(why: LeftReason, reason: string | undefined): string {
  return reason === undefined ? reasons[why] : `${reasons[why]}: ${sanitizeText(reason)}`;
}
