/** The states of a machine, as types. */
import type { KnownError, WithNames } from "./scope.ts";

/** The states so far: what each gives, the names that transitions lead to, and where it ends. */
export interface MachineTypes {
  readonly outputs: object;
  readonly next: string;
  readonly ends: string;
}

declare const statesOf: unique symbol;

/** States that were written. */
export interface ComposedStates<States extends MachineTypes> {
  readonly [statesOf]: States;
}

/** The states that a function writes. */
export type StatesOf<Written> = Written extends (
  ...given: never
) => ComposedStates<infer States extends MachineTypes>
  ? States
  : never;
export type NoStates = { outputs: Record<never, never>; next: never; ends: never };

export type InState<Names, States extends MachineTypes> = WithNames<
  Names,
  {
    last: unknown;
    states: { readonly [Name in keyof States["outputs"]]?: States["outputs"][Name] };
  }
>;

export interface StateResult<Output> {
  readonly status: "ok" | "error";
  readonly output: Output;
  readonly error?: KnownError;
}

export type WithState<States extends MachineTypes, Name extends string, Output, Given> = {
  outputs: States["outputs"] & { readonly [Key in Name]: Output };
  next: States["next"] | NextOf<Given>;
  ends: States["ends"] | (Given extends { readonly terminal: true } ? Name : never);
};
export type NextOf<Given> = Given extends {
  readonly transitions: readonly { readonly next: infer Next extends string }[];
}
  ? Next
  : never;

/** The name of a state, where it and all that transitions lead to are states. */
export type Reachable<States extends MachineTypes, Name extends string> = [
  Exclude<States["next"] | Name, keyof States["outputs"]>,
] extends [never]
  ? Name
  : `no state is called ${Exclude<States["next"] | Name, keyof States["outputs"]>}`;

/** The output of the final state; if that has no body, the output of any earlier state. */
export type MachineOutput<States extends MachineTypes> = {
  [End in States["ends"]]: [OutputOfState<States, End>] extends [never]
    ? States["outputs"][keyof States["outputs"]]
    : OutputOfState<States, End>;
}[States["ends"]];
export type OutputOfState<States extends MachineTypes, Name> = Name extends keyof States["outputs"]
  ? States["outputs"][Name]
  : never;
