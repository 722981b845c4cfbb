import { isPlainObject, type LoopDef, type Mapping } from "@turnseal/protocol";

/**
 * Maps the signal for later turns of a run without a mapping of its own: its `text` becomes that of
 * the input, and every other field stays. Undefined for an input without `text`.
 */
export function mapSignal({ inputSchema, prompt }: LoopDef, name: string): Mapping | undefined {
  const properties = isPlainObject(inputSchema) ? inputSchema["properties"] : undefined;
  const declared = isPlainObject(properties) ? Object.keys(properties) : [];
  const fields = new Set([...declared, ...(prompt?.variables ?? [])]);
  if (!fields.delete("text")) return undefined;
  const kept = [...fields].map((field) => [field, `$.input[${JSON.stringify(field)}]`]);
  return { ...Object.fromEntries(kept), text: `$.signals.${name}.text` };
}
