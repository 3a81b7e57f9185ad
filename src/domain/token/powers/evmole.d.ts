/** The package has types, but its `exports` do not lead to them. */
declare module "evmole" {
  export { contractInfo } from "evmole/dist/evmole.js";
}
