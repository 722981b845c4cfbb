/** Defaults of workers. */

/** Where the engine finds a worker, and where operators do. */
export const WORKER_PORT_DEFAULT = 9080;
export const METRICS_PORT_DEFAULT = 9464;
/** How long a stopping worker waits for its running actions. */
export const DRAIN_MS_DEFAULT = 60_000;
/** How many ports everything of `dev` listens on, and the first of them. */
export const DEV_PORTS = 5;
export const DEV_PORTS_DEFAULT = 28_080;
/** The changes of tenants, as `tenant` names them. */
export const TENANT_STEPS = ["add", "list", "limit", "suspend", "resume", "delete"] as const;
export type TenantStep = (typeof TENANT_STEPS)[number];
/** The steps of a deployment, as `deploy` names them. */
/** The steps that change the deployment, or show it. They need the engine, too. */
export const ENGINE_STEPS = ["register", "status", "promote", "drain", "remove"] as const;
export type EngineStep = (typeof ENGINE_STEPS)[number];
export const DEPLOY_STEPS = ["check", ...ENGINE_STEPS] as const;
export type DeployStep = (typeof DEPLOY_STEPS)[number];
/** Entries on one page of the log of the deployment. */
export const AUDIT_LIMIT_DEFAULT = 100;
