/** The schema of what a call says outside a run, as far as it names fields. */
export interface CallEventSchema {
  readonly oneOf: readonly {
    readonly properties: {
      readonly type: { readonly const?: string };
      readonly content: ContentSchema;
      readonly attached?: Fields | false;
    };
  }[];
  readonly $defs: Readonly<Record<string, Fields>>;
}

interface Fields {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

interface ContentSchema extends Fields {
  readonly $ref?: string;
  readonly oneOf?: readonly Fields[];
}

export interface PlainForm {
  readonly type: string;
  readonly title: string | undefined;
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
  readonly attached: readonly string[];
}

/** Every form of every native event of a call, in the order of the schema. */
export function listPlainForms({ oneOf, $defs }: CallEventSchema): PlainForm[] {
  return oneOf.flatMap(({ properties: { type, content, attached } }) => {
    const { const: name } = type;
    // Only vendors' events have no name of ours.
    if (name === undefined) return [];
    const named = $defs[content.$ref?.replace("#/$defs/", "") ?? ""] ?? content;
    return (content.oneOf ?? [named]).map(({ title, properties = {}, required = [] }) => {
      const sometimes = Object.keys(properties).filter((field) => !required.includes(field));
      const beside = attached === false ? {} : (attached?.properties ?? {});
      return { type: name, title, always: required, sometimes, attached: Object.keys(beside) };
    });
  });
}
