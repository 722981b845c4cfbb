/**
 * From a schema to a check, without generated code: a schema is data, and stays data.
 *
 * Keywords run in the order of their cost, cheap ones first. A union alternative that does not
 * apply then ends before it goes into the value.
 */
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import {
  addCoverage,
  addFault,
  type Check,
  createCoverage,
  enter,
  isDecided,
  leave,
} from "./evaluation.ts";
import type { KeywordCompiler, SchemaCompiler } from "./keyword.ts";
import { listKeywords } from "./list-keywords.ts";
import { logicKeywords } from "./logic-keywords.ts";
import { numberKeywords } from "./number-keywords.ts";
import { objectKeywords } from "./object-keywords.ts";
import { createResolver } from "./schema-walk.ts";
import { textKeywords } from "./text-keywords.ts";
import { unevaluatedKeywords } from "./unevaluated-keywords.ts";
import { valueKeywords } from "./value-keywords.ts";

const keywords: readonly KeywordCompiler[] = [
  ...valueKeywords,
  ...numberKeywords,
  ...textKeywords,
  ...objectKeywords,
  ...listKeywords,
  ...logicKeywords,
];

/** Compiles a schema that was checked before. */
export function compileSchema(root: JsonValue): Check {
  const resolve = createResolver(root);
  const known = new Map<JsonObject, Check>();
  const compiler: SchemaCompiler = {
    compile: (schema) => {
      if (!isPlainObject(schema)) return schema === false ? refuseAll : acceptAll;
      const object = schema as JsonObject;
      const check = known.get(object) ?? combine(object, compiler);
      known.set(object, check);
      return check;
    },
    follow: (reference) => {
      let check: Check | undefined;
      return (value, evaluation) => {
        // A reference that leads nowhere was refused at registration.
        check ??= compiler.compile(resolve(reference) ?? false);
        return check(value, evaluation);
      };
    },
  };
  return compiler.compile(root);
}

const acceptAll: Check = () => true;
const refuseAll: Check = (_, evaluation) => addFault(evaluation, "must not be present");

function combine(schema: JsonObject, compiler: SchemaCompiler): Check {
  const checks = compileKeywords(keywords, schema, compiler);
  const lastChecks = compileKeywords(unevaluatedKeywords, schema, compiler);
  return lastChecks.length === 0 ? applyAll(checks) : applyCovering(checks, lastChecks);
}

function compileKeywords(
  compilers: readonly KeywordCompiler[],
  schema: JsonObject,
  compiler: SchemaCompiler,
): readonly Check[] {
  return compilers
    .map((compileKeyword) => compileKeyword(schema, compiler))
    .filter((check) => check !== undefined);
}

function applyAll(checks: readonly Check[]): Check {
  return (value, evaluation) => {
    let isValid = enter(evaluation);
    for (const check of checks) {
      if (!isValid && isDecided(evaluation)) break;
      if (!check(value, evaluation)) isValid = false;
    }
    leave(evaluation);
    return isValid;
  };
}

/** For schemas with `unevaluated*`: these come last, and see what all others have covered. */
function applyCovering(checks: readonly Check[], lastChecks: readonly Check[]): Check {
  const apply = applyAll([...checks, ...lastChecks]);
  return (value, evaluation) => {
    const { covered } = evaluation;
    const own = createCoverage();
    evaluation.covered = own;
    const isValid = apply(value, evaluation);
    evaluation.covered = covered;
    if (covered !== undefined) addCoverage(covered, own);
    return isValid;
  };
}
