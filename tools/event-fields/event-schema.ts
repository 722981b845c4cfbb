/** The schema of events, as far as it says what an event holds and what that means. */

export interface EventSchema {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly $defs: Readonly<Record<string, Definition>>;
}

/** The schema of a field. */
export interface FieldSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
}

/** A type of event, or one of its forms, or something that fields can be. */
export interface Definition extends FieldSchema {
  readonly properties?: {
    readonly actor?: {
      readonly properties: { readonly kind: { readonly enum: readonly string[] } };
    };
    readonly content?: ContentSchema;
  };
  /** The forms of a type that has several. */
  readonly oneOf?: readonly Definition[];
}

interface ContentSchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
}

/** What can be recorded under one type, in one of its forms. */
export interface EventForm {
  readonly type: string;
  /** The variant of the type that has this form; undefined for a type with one form. */
  readonly title: string | undefined;
  readonly description: string;
  readonly actors: readonly string[];
  readonly fields: readonly EventField[];
}

export interface EventField {
  readonly name: string;
  readonly isAlways: boolean;
  readonly schema: FieldSchema;
}

/** Every form of every native type, in the order of the schema. */
export function listForms({ oneOf, $defs }: EventSchema): EventForm[] {
  return oneOf.flatMap(({ $ref }) => {
    const type = nameOf($ref);
    const definition = $defs[type] ?? {};
    return (definition.oneOf ?? [definition]).flatMap((form) => readForm(type, form));
  });
}

/** The definition that a reference within the schema names. */
export function nameOf(reference: string): string {
  return reference.replace("#/$defs/", "");
}

/** The content of a vendor event is not specified, so it has no form. */
function readForm(type: string, { title, description = "", properties }: Definition): EventForm[] {
  const { actor, content } = properties ?? {};
  if (actor === undefined || content?.properties === undefined) return [];
  const fields = Object.entries(content.properties).map(([name, schema]) => {
    return { name, isAlways: content.required.includes(name), schema };
  });
  return [{ type, title, description, actors: actor.properties.kind.enum, fields }];
}
