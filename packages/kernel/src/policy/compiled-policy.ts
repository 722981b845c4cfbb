import type { Digest, Rule } from "@turnseal/protocol";
import type { Condition } from "../bounded/condition/condition.ts";
import type { UnitsRead } from "../values/units-read.ts";

/** A policy that is ready to decide, or an unreadable one, which denies everything. */
export type CompiledPolicy =
  | {
      readonly kind: "compiled";
      readonly digest: Digest;
      /** The rules by what they decide, each list in the order in which its first match decides. */
      readonly denies: readonly CompiledRule[];
      readonly asks: readonly CompiledRule[];
      readonly allows: readonly CompiledRule[];
      readonly unitsRead: UnitsRead;
    }
  | { readonly kind: "unreadable" };

export interface CompiledRule {
  readonly rule: Rule;
  readonly isAbout: (tool: string) => boolean;
  readonly condition: Condition;
  readonly unitsRead: UnitsRead;
}

/** Replaces an unreadable policy. */
export const UNREADABLE_POLICY: CompiledPolicy = { kind: "unreadable" };
