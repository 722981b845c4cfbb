/** A table, as the suite gives it: participants that are loops which are loaded. */
import { parseSeat } from "@turnseal/conformance/program";
import type { Registry } from "@turnseal/kernel";
import { isLoopError, type JsonValue, type LoopDef } from "@turnseal/protocol";
import { defineTable, type TableInput, withUsed } from "@turnseal/protocol/authoring";

type Answer = Readonly<Record<string, unknown>>;

/** Ends the program, makes the loop of a table, and loads it with the handoffs that it uses. */
export function seatTable(params: unknown, registry: Registry, end: () => void): Answer {
  end();
  const { mode, participants, rounds, ...header } = parseSeat(params, "seat");
  const seated = Object.entries(participants).map(([name, { loop, version, grant }]) => {
    const definition = registry.resolve(loop, version)?.definition;
    if (definition === undefined) throw new Error(`the participant ${loop} is not loaded`);
    return [name, { loop: { definition }, grant }] as const;
  });
  try {
    const table = defineTable({
      ...{ ...header, mode, participants: Object.fromEntries(seated) },
      ...(rounds === undefined ? {} : { rounds }),
    } as unknown as TableInput);
    for (const { definition } of withUsed([table])) loadOnce(registry, definition);
    return { kind: "seated" };
  } catch (error) {
    if (!isLoopError(error)) throw error;
    return { kind: "refused", code: error.code };
  }
}

function loadOnce(registry: Registry, definition: LoopDef): void {
  if (registry.resolve(definition.id, definition.version) !== undefined) return;
  const answer = registry.register(definition as unknown as JsonValue);
  if (answer.kind === "refused") throw new Error(`${definition.id} cannot be loaded`);
}
