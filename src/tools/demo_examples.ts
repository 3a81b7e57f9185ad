/** Addresses of the demo network that the examples of several cards name. */
export const DEMO_EXAMPLES = {
  token: "0x0116686E2291dbd5e317F47faDBFb43B599786Ef",
  trader: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  deployer: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
  exposed_wallet: "0x61097BA76cD906d2ba4FD106E757f7Eb455fc295",
  frozen_wallet: "0xFABB0ac9d68B0B445fB7357272Ff202C5651694a",
} as const;
