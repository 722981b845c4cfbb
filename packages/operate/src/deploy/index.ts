export { describeAnswer } from "./ask-release.ts";
export { checkUpgrade, type TenantUpgrade, type UpgradeCheck } from "./check-upgrade.ts";
export {
  type Deployed,
  deployWorker,
  drainRelease,
  promoteRelease,
  registerRelease,
  removeRelease,
} from "./deploy-release.ts";
export { type DeployPlace, type OpenedDeploy, openDeploy } from "./open-deploy.ts";
export { type DeployStatus, type ReleaseStatus, readDeployStatus } from "./read-deploy-status.ts";
