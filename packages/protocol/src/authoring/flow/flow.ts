/**
 * Flows in TypeScript, as types: each method adds a node, and what follows knows its name. Bodies
 * are functions over the names that are known at their place. They run once, when the loop is
 * defined.
 */
import type { CacheSpec } from "../../loop/cache-spec.ts";
import type {
  FlowNode,
  ItemErrorRule,
  IterationScope,
  Join,
  Tolerance,
} from "../../loop/flow-spec.ts";
import type { Mapping } from "../../loop/mapping.ts";
import type { SchemaSource } from "../json-schema-source.ts";
import type { InputOf, Loop, OutputOf } from "../loop.ts";
import type {
  Checked,
  FieldOf,
  FieldSources,
  MappingTo,
  ResolvedFields,
} from "../mapping-fields.ts";
import type { Placeholder } from "../reference.ts";
import type {
  ComposedStates,
  InState,
  MachineOutput,
  MachineTypes,
  NoStates,
  Reachable,
  StateResult,
  StatesOf,
  WithState,
} from "./machine-types.ts";
import type {
  Bound,
  Condition,
  Gives,
  Known,
  LastOf,
  NodeOptions,
  OutputOfBody,
} from "./node-options.ts";
import type {
  AsOf,
  EachOf,
  ElseOutput,
  FreeAs,
  InItem,
  InRound,
  Item,
  Joined,
  NoRound,
  SignalOutput,
  TimedOut,
} from "./node-types.ts";
import type {
  CallResult,
  FanOutResult,
  KnownError,
  Result,
  SourcesOf,
  TakenName,
  Unsure,
  WithNames,
} from "./scope.ts";

/** Nodes that stand one after the other, and the type of what they give. */
export interface ComposedFlow<Output> extends Gives<Output> {
  readonly nodes: readonly FlowNode[];
  readonly outputMapping?: Mapping;
  /** The loops that it calls. */
  readonly uses: readonly Loop<never, unknown>[];
}

type Body<Names> = (flow: FlowStart<Names>) => ComposedFlow<unknown>;

type Options<Names> = NodeOptions<Names, Body<WithNames<Names, { error: KnownError }>>>;
interface CallOptions<Names> extends Options<Names> {
  /** It may do less than its caller: the grant must fit inside the caller's. */
  readonly grant?: (sources: SourcesOf<Names>) => FieldSources;
  /** False: the highest release of the loop, instead of the version at hand. */
  readonly pinned?: boolean;
  /** In a run, an equal call of this turn answers a tool that reads, while nothing is changed. */
  readonly cache?: CacheSpec;
}

interface FanOutOptions<Names> extends Options<Names> {
  readonly join?: Join;
  readonly onItemError?: ItemErrorRule;
  readonly tolerate?: Tolerance;
  readonly concurrency?: number;
}
interface ForEachOptions<Names> extends FanOutOptions<Names> {
  /** Items at most. */
  readonly max: number;
  /** The name of an item in the body; `item` if absent. */
  readonly as?: string;
  readonly scope?: IterationScope;
  readonly spread?: "turn" | "runs";
}
interface BranchOptions<Names> extends Options<Names> {
  readonly else?: Body<Names>;
}
interface RoundOptions<Names> extends Options<Names> {
  /** Rounds at most. */
  readonly max: number;
  readonly onMax?: "fail" | "continue";
  readonly scope?: IterationScope;
}
/** One of two conditions: after each round it is over where it holds, or before where it fails. */
type RepeatOptions<Names, Output> = RoundOptions<Names> &
  (
    | { readonly until: Condition<InRound<Names, Output>>; readonly while?: never }
    | { readonly while: Condition<InRound<Names, Unsure<Output>>>; readonly until?: never }
  );
interface MachineOptions<Names> extends Options<Names> {
  readonly maxTransitions?: number;
  readonly scope?: IterationScope;
}
interface WaitOptions<Names> extends Options<Names> {
  readonly withinMs?: number;
  readonly onTimeout?: "fail" | "continue";
}
type UntilOptions<Names> = Omit<WaitOptions<Names>, "onTimeout">;
interface SignalOptions<Names> extends WaitOptions<Names> {
  readonly signal: string;
  readonly schema?: SchemaSource<unknown>;
}

type Case<Names> = { readonly when: Condition<Names>; readonly do: Body<Names> };
/** The flow with one node more. */
type Added<Names, Before, Name extends string, Came extends Result<unknown>, Given> = Flow<
  WithNames<Names, { readonly [Key in Name]: Bound<Came, Given> }>,
  LastOf<Came, Given, Before>
>;
type Free<Names, Name extends string> = Name extends TakenName<Names> ? `${Name} is taken` : Name;
/** A flow with at least one node. */
export interface Flow<Names, Last> extends FlowStart<Names, Last>, ComposedFlow<Last> {
  /** Builds the output from the nodes, instead of taking the last one's. It ends the flow. */
  output<const Fields extends FieldSources>(
    mapping: (sources: SourcesOf<Names>) => Fields & Checked<Fields>,
  ): ComposedFlow<ResolvedFields<Fields>>;
}

/** Where nodes are added. `Before` is what they give if all that follows is skipped. */
export interface FlowStart<Names, Before = null> {
  /** Calls a loop; later nodes read its result under `name`. */
  call<
    const Name extends string,
    Loops extends Loop<never, unknown>,
    const Fields extends MappingTo<InputOf<Loops>>,
    const Given extends CallOptions<Names>,
  >(
    name: Free<Names, Name>,
    loop: Loops,
    mapping: (sources: SourcesOf<Names>) => Fields & Checked<Fields, FieldOf<InputOf<Loops>>>,
    options?: Given & Known<Given, CallOptions<Names>>,
  ): Added<Names, Before, Name, CallResult<OutputOf<Loops>>, Given>;

  /** Nodes that are tried, timed or skipped together. */
  sequence<const Name extends string, In extends Body<Names>, const Given extends Options<Names>>(
    name: Free<Names, Name>,
    body: In,
    options?: Given & Known<Given, Options<Names>>,
  ): Added<Names, Before, Name, Result<OutputOfBody<In>>, Given>;

  /**
   * Calls that are claimed before any acts, and done as a whole. No call in it knows another's
   * output.
   */
  group: FlowStart<Names, Before>["sequence"];

  /** Bodies beside each other. It gives a list in their order, or what `join` says. */
  parallel<
    const Name extends string,
    const Bodies extends readonly Body<Names>[],
    const Given extends FanOutOptions<Names>,
  >(
    name: Free<Names, Name>,
    branches: Bodies,
    options?: Given & Known<Given, FanOutOptions<Names>>,
  ): Added<
    Names,
    Before,
    Name,
    FanOutResult<Joined<Given, EachOf<Given, Bodies>, OutputOfBody<Bodies[number]>>>,
    Given
  >;

  /** A body for each item of a list. It gives a list in its order, or what `join` says. */
  forEach<
    const Name extends string,
    Of,
    const Given extends ForEachOptions<Names>,
    Inner extends Body<InItem<Names, Of, AsOf<Given>>>,
  >(
    name: Free<Names, Name>,
    items: (sources: SourcesOf<Names>) => Placeholder<readonly Of[]> | readonly Of[],
    options: Given & Known<Given, ForEachOptions<Names>> & FreeAs<Names, Given>,
    body: Inner,
  ): Added<
    Names,
    Before,
    Name,
    FanOutResult<Joined<Given, Item<Given, OutputOfBody<Inner>>[], OutputOfBody<Inner>>>,
    Given
  >;

  /** The first case whose condition holds, or `else`; it gives null if there is none. */
  branch<
    const Name extends string,
    const Cases extends readonly Case<Names>[],
    const Given extends BranchOptions<Names>,
  >(
    name: Free<Names, Name>,
    cases: Cases,
    options?: Given & Known<Given, BranchOptions<Names>>,
  ): Added<
    Names,
    Before,
    Name,
    Result<OutputOfBody<Cases[number]["do"]> | ElseOutput<Given>>,
    Given
  >;

  /** A body again and again. It knows `round`, from 0 on, and `last`; it gives the last round's. */
  repeat<
    const Name extends string,
    Inner extends Body<InRound<Names, unknown>>,
    const Given extends RepeatOptions<Names, OutputOfBody<Inner>>,
  >(
    name: Free<Names, Name>,
    body: Inner,
    options: Given & Known<Given, RepeatOptions<Names, unknown>>,
  ): Added<Names, Before, Name, Result<OutputOfBody<Inner> | NoRound<Given>>, Given>;

  /** A state machine, with one current state. Its output is that of the final state. */
  machine<
    const Name extends string,
    Written extends (machine: Machine<Names, NoStates>) => ComposedStates<MachineTypes>,
    const Given extends MachineOptions<Names>,
  >(
    name: Free<Names, Name>,
    states: Written,
    options?: Given & Known<Given, MachineOptions<Names>>,
  ): Added<Names, Before, Name, Result<MachineOutput<StatesOf<Written>>>, Given>;

  /** Waits for a signal of this name, and gives what it brings. */
  waitForSignal<const Name extends string, const Given extends SignalOptions<Names>>(
    name: Free<Names, Name>,
    options: Given & Known<Given, SignalOptions<Names>>,
  ): Added<Names, Before, Name, Result<SignalOutput<Given> | TimedOut<Given>>, Given>;

  /** Asks a question, which is a loop of its own, and gives the answer. */
  waitForAnswer<
    const Name extends string,
    Loops extends Loop<never, unknown>,
    const Fields extends MappingTo<InputOf<Loops>>,
    const Given extends WaitOptions<Names>,
  >(
    name: Free<Names, Name>,
    question: Loops,
    mapping: (sources: SourcesOf<Names>) => Fields & Checked<Fields, FieldOf<InputOf<Loops>>>,
    options?: Given & Known<Given, WaitOptions<Names>>,
  ): Added<Names, Before, Name, Result<OutputOf<Loops> | TimedOut<Given>>, Given>;

  /** Waits for a time, an instant as a text, and gives it. */
  waitUntil<const Name extends string, const Given extends UntilOptions<Names>>(
    name: Free<Names, Name>,
    instant: (sources: SourcesOf<Names>) => Placeholder<string> | string,
    options?: Given & Known<Given, UntilOptions<Names>>,
  ): Added<Names, Before, Name, Result<string>, Given>;
}

interface StateParts<Names, Output> {
  readonly onEntry?: Body<Names>;
  readonly onExit?: Body<Names>;
  readonly terminal?: boolean;
  readonly transitions?: readonly {
    readonly when?: Condition<WithNames<Names, { result: StateResult<Output> }>>;
    readonly next: string;
  }[];
}
/** The states of a machine. Each call adds one. */
export interface Machine<Names, States extends MachineTypes> {
  /** Adds a state: what it does, and where it leads. */
  state<
    const Name extends string,
    Inner extends Body<InState<Names, States>>,
    const Given extends StateParts<InState<Names, States>, OutputOfBody<Inner>>,
  >(
    name: Name extends keyof States["outputs"] ? `${Name} is taken` : Name,
    body: Inner,
    parts: Given & Known<Given, StateParts<Names, unknown>>,
  ): Machine<Names, WithState<States, Name, OutputOfBody<Inner>, Given>>;
  /** Adds a state that does nothing itself. */
  state<const Name extends string, const Given extends StateParts<InState<Names, States>, null>>(
    name: Name extends keyof States["outputs"] ? `${Name} is taken` : Name,
    parts: Given & Known<Given, StateParts<Names, unknown>>,
  ): Machine<Names, WithState<States, Name, never, Given>>;
  /** Where it begins, when all states are written. */
  initial<const Name extends string>(name: Reachable<States, Name>): ComposedStates<States>;
}
