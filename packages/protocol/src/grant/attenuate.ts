/** Makes a narrower grant out of a wider one, and checks a proof of that (spec/grant.md §6). */
import { canonicalize } from "../canonical-json.ts";
import { compareGrants, type Proof, type Widening } from "./compare-grants.ts";
import { type Grant, parseGrantRequest } from "./grant.ts";
import { contentOf, mintTerm } from "./term.ts";

export type Attenuation =
  | { readonly kind: "attenuated"; readonly grant: Grant; readonly proof: Proof }
  /** The request is not within the wider grant, or cannot be read. It is never cut to fit. */
  | { readonly kind: "refused"; readonly code: Widening };

/**
 * The requested narrower grant. Lists that the request leaves out are empty; caps, caps by kind of
 * period, depth, expiry and the grantor are those of the wider grant.
 */
export function attenuate(parent: Grant, requested: unknown): Attenuation {
  const request = parseGrantRequest(requested);
  if ("problem" in request) return { kind: "refused", code: "unreadable" };
  const { grantor, budget, perCall, depth, expiresAt } = parent;
  const perPeriod = { ...parent.perPeriod, ...request.perPeriod };
  const grant: Grant = {
    ...(perCall === undefined ? {} : { perCall }),
    ...(depth === undefined ? {} : { depth }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    budget,
    ...request,
    ...(parent.perPeriod === undefined ? {} : { perPeriod }),
    grantor,
  };
  const comparison = compareGrants(grant, parent);
  return comparison.kind === "wider"
    ? { kind: "refused", code: comparison.code }
    : { kind: "attenuated", grant, proof: comparison.proof };
}

export type ProofVerdict =
  | { readonly kind: "proven" }
  | { readonly kind: "wider"; readonly code: Widening }
  /** The grant is within, and the proof or the name of a term is not what computing it gives. */
  | { readonly kind: "forged" };

/** Computes a proof again from the two grants, and believes nothing that it says. */
export function checkProof(proof: unknown, child: Grant, parent: Grant): ProofVerdict {
  const comparison = compareGrants(child, parent);
  if (comparison.kind === "wider") return comparison;
  const isMinted = (child.terms ?? []).every((term) => mintTerm(contentOf(term)).id === term.id);
  return isMinted && isSame(proof, comparison.proof) ? { kind: "proven" } : { kind: "forged" };
}

function isSame(stated: unknown, computed: Proof): boolean {
  try {
    return canonicalize(stated) === canonicalize(computed);
  } catch {
    // A value without a canonical form was never recorded.
    return false;
  }
}
