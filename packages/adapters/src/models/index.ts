export { type AiSdkProvider, aiSdkLanguageModel, aiSdkModel } from "./ai-sdk-model.ts";
export { boundedFetch } from "./bounded-fetch.ts";
export { ENVIRONMENT_BACKENDS, type EnvironmentBackend } from "./environment-backends.ts";
export { LIST_PRICES } from "./list-prices.ts";
export { modelsFromEnvironment } from "./models-from-environment.ts";
export { type BackendSettings, modelsFromSecrets } from "./models-from-secrets.ts";
