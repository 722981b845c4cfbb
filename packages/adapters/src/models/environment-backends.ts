/** Where one backend is found in the environment, and which package speaks to it. */
export interface EnvironmentBackend {
  readonly id: string;
  readonly packageName: string;
  /** The export of the package that makes a provider. */
  readonly factoryName: string;
  /** The backend exists when this variable is set. */
  readonly switchVariable: string;
  readonly keyVariable: string;
  /** True where a server may ask for no key at all. */
  readonly isKeyOptional?: boolean;
  readonly urlVariable?: string;
  /** Always given: a package without it looks into the environment of the process by itself. */
  readonly defaultUrl?: string;
  readonly modelVariable?: string;
  readonly defaultModel: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The media types of files that it takes, where its package knows. */
  readonly takes?: readonly string[];
}

/** Every backend that can be bound by setting variables alone. */
export const ENVIRONMENT_BACKENDS: readonly EnvironmentBackend[] = [
  {
    id: "openai",
    packageName: "@ai-sdk/openai",
    factoryName: "createOpenAI",
    switchVariable: "OPENAI_API_KEY",
    keyVariable: "OPENAI_API_KEY",
    urlVariable: "OPENAI_BASE_URL",
    defaultUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-5.4-mini",
    takes: ["image/*", "application/pdf"],
  },
  {
    id: "anthropic",
    packageName: "@ai-sdk/anthropic",
    factoryName: "createAnthropic",
    switchVariable: "ANTHROPIC_API_KEY",
    keyVariable: "ANTHROPIC_API_KEY",
    urlVariable: "ANTHROPIC_BASE_URL",
    defaultUrl: "https://api.anthropic.com/v1",
    defaultModel: "claude-haiku-5-5",
    takes: ["image/*", "application/pdf"],
  },
  {
    id: "google",
    packageName: "@ai-sdk/google",
    factoryName: "createGoogle",
    switchVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    defaultUrl: "https://generativelanguage.googleapis.com/v1beta",
    defaultModel: "gemini-3.5-flash",
    takes: ["image/*", "application/pdf", "audio/*"],
  },
  {
    id: "openai-compatible",
    packageName: "@ai-sdk/openai-compatible",
    factoryName: "createOpenAICompatible",
    switchVariable: "TURNSEAL_OPENAI_COMPATIBLE_URL",
    keyVariable: "TURNSEAL_OPENAI_COMPATIBLE_KEY",
    isKeyOptional: true,
    urlVariable: "TURNSEAL_OPENAI_COMPATIBLE_URL",
    modelVariable: "TURNSEAL_OPENAI_COMPATIBLE_MODEL",
    // A server with a single model takes any name.
    defaultModel: "default",
    // Without these the package asks for any JSON, and for no usage of what is streamed.
    settings: { name: "openai-compatible", supportsStructuredOutputs: true, includeUsage: true },
  },
];
