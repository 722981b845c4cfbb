import { isPlainObject, type LoopDef, type Mapping } from "@turnseal/protocol";

/**
 * How further turns are told what a signal says where a run does not: its `text` becomes that of
 * the input, and every other field stays what it was. Undefined for an input without `text`.
 */
export function mapSignal({ inputSchema, prompt }: LoopDef, name: string): Mapping | undefined {
  const properties = isPlainObject(inputSchema) ? inputSchema["properties"] : undefined;
  const declared = isPlainObject(properties) ? Object.keys(properties) : [];
  const fields = new Set([...declared, ...(prompt?.variables ?? [])]);
  if (!fields.delete("text")) return undefined;
  const kept = [...fields].map((field) => [field, `$.input[${JSON.stringify(field)}]`]);
  return { ...Object.fromEntries(kept), text: `$.signals.${name}.text` };
}
