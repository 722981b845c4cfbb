import type { Mutant } from "./mutant.ts";

/** Faults in how a document is read. */
export const definitionMutants: readonly Mutant[] = [
  {
    name: "draft-07-validator",
    file: "packages/kernel/src/definition/schema-validator.ts",
    find: "check ??= compileSchema(schema);",
    replace: [
      'const later = ["prefixItems", "unevaluatedProperties", "unevaluatedItems",',
      '  "dependentRequired", "dependentSchemas", "minContains", "maxContains"];',
      "const known = (name, part) => (later.includes(name) ? undefined : part);",
      "check ??= compileSchema(JSON.parse(JSON.stringify(schema), known));",
    ].join("\n"),
    fails: [
      "schema/dependent-required-refuses",
      "schema/items-after-prefix-accepts",
      "schema/min-contains-refuses",
      "schema/output-prefix-items-refuses",
      "schema/output-unevaluated-properties-refuses",
      "schema/prefix-items-refuses",
      "schema/unevaluated-properties-refuses",
    ],
  },
  {
    name: "defaults-filled-in",
    file: "packages/kernel/src/definition/schema-validator.ts",
    find: "check ??= compileSchema(schema);",
    replace: [
      "check ??= compileSchema(schema);",
      'const fields = typeof value === "object" && value !== null ? schema.properties : undefined;',
      "for (const [name, field] of Object.entries(fields ?? {})) {",
      "  if (field.default !== undefined) value[name] ??= field.default;",
      "}",
    ].join("\n"),
    fails: ["isolation/composite-input-unchanged", "isolation/defaults-not-filled-in"],
  },
  {
    name: "any-version",
    file: "packages/protocol/src/loop/check-fields.ts",
    find: 'version === "" || parseSemver(version) !== undefined',
    replace: "true",
    fails: [
      "register/rejected-among-accepted",
      "register/version-empty-prerelease",
      "register/version-four-numbers",
      "register/version-leading-zero",
      "register/version-two-numbers",
      "register/version-with-letter",
    ],
  },
  {
    name: "unknown-field-kept",
    file: "packages/protocol/src/loop/check-fields.ts",
    find: '(mode === "strict" ? problems : warnings)',
    replace: "warnings",
    fails: ["register/two-bodies-strict", "register/unknown-field-strict"],
  },
];
