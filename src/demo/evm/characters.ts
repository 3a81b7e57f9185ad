/**
 * The characters of the demo world. Addresses never change: characters come from the mnemonic that every local chain
 * knows (so `cast send --private-key` works on the demo), contracts from creator and nonce. Tool examples, docs and
 * tests name them; a test builds the world and compares.
 */
import { keccak256, toHex } from "../../lib/bytes.ts";
import type { HexText } from "./rpc.ts";

export { type ContractName, DEMO_CONTRACTS } from "./demo_contracts.ts";

export const MNEMONIC = "test test test test test test test test test test test junk";

interface Character {
  /** Position on the path m/44'/60'/0'/0/n. */
  readonly index: number;
  readonly address: HexText;
  readonly role: string;
}

export const CHARACTERS = {
  bank: {
    index: 0,
    address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    role: "holds all coins at genesis and distributes them",
  },
  oscar: {
    index: 1,
    address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    role: "deploys the infrastructure, provides liquidity",
  },
  alice: {
    index: 2,
    address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    role: "trades Harbor and Juniper; alice.eth",
  },
  bob: {
    index: 3,
    address: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    role: "buys Sunrise, sells half, holds; simple books",
  },
  carol: {
    index: 4,
    address: "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
    role: "pays and is paid in stablecoins; simple books",
  },
  dave: {
    index: 5,
    address: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    role: "honest developer: deploys tokens, also by factory",
  },
  erin: { index: 6, address: "0x976EA74026E726554dB657fA54763abd0C3a0aa9", role: "wraps and unwraps; simple books" },
  frank: {
    index: 7,
    address: "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955",
    role: "most of his transactions fail; simple books",
  },
  grace: {
    index: 8,
    address: "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f",
    role: "provides liquidity, uses vaults, collects",
  },
  heidi: { index: 9, address: "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720", role: "gets spam and poisoned history" },
  ivan: { index: 10, address: "0xBcd4042DE499D14e55001CcbB24a551F3b954096", role: "spammer and address poisoner" },
  judy: { index: 11, address: "0x71bE63f3384f5fb98995898A86B02Fb2426c5788", role: "owner of a 2-of-3 Safe" },
  mallory: {
    index: 12,
    address: "0xFABB0ac9d68B0B445fB7357272Ff202C5651694a",
    role: "honeypot, rug pull, sandwich; frozen by the USDC issuer",
  },
  nina: {
    index: 13,
    address: "0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec",
    role: "market maker: moves the pools every day",
  },
  trent: {
    index: 14,
    address: "0xdF3e18d64BC6A983f673Ab319CCaE4f1a57C7097",
    role: "issues, freezes and destroys USDC and USDT",
  },
  peggy: { index: 15, address: "0xcd3B766CCDd6AE721141F452C550Ca635964ce71", role: "pays salaries every week" },
  walter: {
    index: 16,
    address: "0x2546BcD3c84621e976D8185a91A922aE77ECEc30",
    role: "his USDT are frozen and destroyed",
  },
  victor: {
    index: 17,
    address: "0xbDA5747bFD65F08deb54cb465eB87D40e51B197E",
    role: "his USDC were frozen and freed again",
  },
  exchange: { index: 18, address: "0xdD2FD4581271e230360230F9337D5c0430Bf44C0", role: "hot wallet of an exchange" },
  validator: {
    index: 19,
    address: "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199",
    role: "receives the tips of every block",
  },
  rupert: {
    index: 20,
    address: "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f",
    role: "launches tokens one after another; the earlier ones ended badly",
  },
  lydia: {
    index: 21,
    address: "0x02484cb50AAC86Eae85610D6f4Bf026f30f6627D",
    role: "linked to rupert: funded by him, receives his tokens",
  },
  olga: { index: 22, address: "0x08135Da0A343E492FA2d4282F2AE34c6c5CC1BbE", role: "runs the mixer" },
  ted: {
    index: 23,
    address: "0x5E661B79FE2D3F6cE70F5AAC07d8Cd9abb2743F1",
    role: "withdraws coins from the mixer and passes them on",
  },
  uma: { index: 24, address: "0x61097BA76cD906d2ba4FD106E757f7Eb455fc295", role: "is two steps away from the mixer" },
  ada: {
    index: 25,
    address: "0xDf37F81dAAD2b0327A0A50003740e1C935C70913",
    role: "deploys the lending market, the bridge and the account contracts",
  },
  bridget: {
    index: 26,
    address: "0x553BC17A05702530097c3677091C5BB47a3a7931",
    role: "lends, borrows, bridges, signs permits, uses a smart account",
  },
  tess: { index: 27, address: "0x87BdCE72c06C21cd96219BD8521bDF1F42C78b5e", role: "deploys the tokens with traps" },
  quinn: {
    index: 28,
    address: "0x40Fc963A729c542424cD800349a7E4Ecc4896624",
    role: "gives the tokens with traps their pools and holders",
  },
  olaf: {
    index: 29,
    address: "0x9DCCe783B6464611f38631e6C851bf441907c710",
    role: "is on the demo's sanctions list",
  },
  felix: {
    index: 30,
    address: "0x1BcB8e569EedAb4668e55145Cfeaf190902d3CF2",
    role: "is frozen by issuers of every family",
  },
  stella: {
    index: 31,
    address: "0x8263Fce86B1b78F95Ab4dae11907d8AF88f841e7",
    role: "provides liquidity, stakes and lends; books of moved cost",
  },
  nora: { index: 32, address: "0xcF2d5b3cBb4D7bF04e3F7bFa8e27081B52191f91", role: "owns names of every service" },
  marco: { index: 33, address: "0x86c53Eb85D0B7548fea5C4B4F82b4205C8f6Ac18", role: "trades well enough for a cohort" },
  paula: {
    index: 34,
    address: "0x1aac82773CB722166D7dA0d5b0FA35B0307dD99D",
    role: "makes the pools of the newer exchanges",
  },
  simon: {
    index: 35,
    address: "0x2f4f06d218E426344CFE1A83D53dAd806994D325",
    role: "locks the shares of his token's pool",
  },
  piet: {
    index: 36,
    address: "0x1003ff39d25F2Ab16dBCc18EcE05a9B6154f65F4",
    role: "brings Uniswap v4 and a token to it",
  },
} as const satisfies Readonly<Record<string, Character>>;

export type CharacterName = keyof typeof CHARACTERS;

/** Name -> address. */
export const ADDRESSES: Readonly<Record<CharacterName, HexText>> = (() => {
  const entries = Object.entries(CHARACTERS).map(([name, { address }]) => [name, address]);
  // fromEntries forgets the keys; they are those of CHARACTERS.
  return Object.fromEntries(entries) as Record<CharacterName, HexText>;
})();

const hashAddress = (text: string): HexText => `0x${toHex(keccak256(new TextEncoder().encode(text))).slice(24)}`;

/** The exchange's deposit address for alice; all of its receipts go on to the hot wallet. */
export const DEPOSIT_ADDRESS: HexText = hashAddress("deposit address of alice");

/** Receives unsolicited dust from the mixer. */
export const DUSTED: HexText = hashAddress("dusted by the mixer");

/** People whom the scenario only pays or pesters. 128 hash-like addresses without meaning. */
export const BYSTANDERS: readonly HexText[] = Array.from({ length: 128 }, (_, n) => hashAddress(`bystander ${n}`));

/** Receives tokens on the last day, without any earlier activity. */
export const NEWCOMER: HexText = hashAddress("newcomer of the last day");

/** Begins and ends like peggy's address. */
export const LOOKALIKE: HexText = "0xcd3b1a2b3c4d5e6f708192a3b4c5d6e7f809ce71";
