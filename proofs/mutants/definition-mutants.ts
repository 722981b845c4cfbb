import type { Mutant } from "./mutant.ts";

/** Faults in how a document is read. */
export const definitionMutants: readonly Mutant[] = [
  {
    name: "draft-07-validator",
    file: "packages/kernel/src/bounded/schema/schema-validator.ts",
    find: "check ??= compileSchema(schema);",
    replace: [
      'const later = ["prefixItems", "unevaluatedProperties", "unevaluatedItems",',
      '  "dependentRequired", "dependentSchemas", "minContains", "maxContains"];',
      "const known = (name, part) => (later.includes(name) ? undefined : part);",
      "check ??= compileSchema(JSON.parse(JSON.stringify(schema), known));",
    ].join("\n"),
  },
  {
    name: "defaults-filled-in",
    file: "packages/kernel/src/bounded/schema/schema-validator.ts",
    find: "check ??= compileSchema(schema);",
    replace: [
      "check ??= compileSchema(schema);",
      'const fields = typeof value === "object" && value !== null ? schema.properties : undefined;',
      "for (const [name, field] of Object.entries(fields ?? {})) {",
      "  if (field.default !== undefined) value[name] ??= field.default;",
      "}",
    ].join("\n"),
  },
  {
    name: "formats-passed-over",
    file: "packages/kernel/src/bounded/schema/text-keywords.ts",
    find: "  compilePatternKeyword,\n  compileFormat,\n",
    replace: "  compilePatternKeyword,\n",
  },
  {
    name: "older-drafts-refused",
    file: "packages/kernel/src/bounded/schema/dialects.ts",
    find: "return drafts.find((draft) => draft === name);",
    replace: "return drafts.slice(-1).find((draft) => draft === name);",
  },
  {
    name: "any-version",
    file: "packages/protocol/src/loop/check-fields.ts",
    find: 'version === "" || parseSemver(version) !== undefined',
    replace: "true",
  },
  {
    name: "unknown-field-kept",
    file: "packages/protocol/src/loop/check-fields.ts",
    find: '(mode === "strict" ? problems : warnings)',
    replace: "warnings",
  },
];
