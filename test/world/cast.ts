/**
 * Who plays in the demo world. Addresses are fixed for all time: characters come from the mnemonic that every local
 * chain knows (so `cast send --private-key` works on the demo), contracts from creator and nonce. Tool examples, docs and
 * tests name them; a test builds the world and compares.
 */
import { keccak256, toHex } from "../../src/lib/bytes.ts";
import type { HexText } from "./rpc.ts";

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
    role: "holds all coins at genesis and hands them out",
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
} as const satisfies Readonly<Record<string, Character>>;

export type CharacterName = keyof typeof CHARACTERS;

/** Name -> address. */
export const ADDRESSES: Readonly<Record<CharacterName, HexText>> = (() => {
  const entries = Object.entries(CHARACTERS).map(([name, { address }]) => [name, address]);
  // fromEntries forgets the keys; they are those of CHARACTERS.
  return Object.fromEntries(entries) as Record<CharacterName, HexText>;
})();

const hashAddress = (text: string): HexText => `0x${toHex(keccak256(new TextEncoder().encode(text))).slice(24)}`;

/** Where the exchange takes alice's deposits; all that comes in goes on to its hot wallet. */
export const DEPOSIT_ADDRESS: HexText = hashAddress("deposit address of alice");

/** People whom the story only pays or pesters. 128 addresses, hash-like and without meaning. */
export const BYSTANDERS: readonly HexText[] = Array.from({ length: 128 }, (_, n) => hashAddress(`bystander ${n}`));

/** Begins and ends like peggy's address. */
export const LOOKALIKE: HexText = "0xcd3b1a2b3c4d5e6f708192a3b4c5d6e7f809ce71";

/** Contracts of the demo placement, the same at every T0. */
export const DEMO_CONTRACTS = {
  weth: "0x8464135c8F25Da09e49BC8782676a84730C318bC",
  multicall3: "0x71C95911E9a5D330f4D621842EC243EE1343292e",
  usdc_implementation: "0xa196769Ca67f4903eCa574F5e76e003071A4d84a",
  usdc: "0x69DD6F346fF6660ecaFECE53206D661E6b37A8a8",
  usdt: "0x2ED8855105ef7329B5BFF1460AFb74C0DB6FA2eC",
  v2_factory: "0x948B3c65b89DF0B4894ABE91E6D02FE579834F8F",
  v2_router: "0x712516e61C8B383dF4A63CFe83d7701Bce54B03e",
  v3_factory: "0xbCF26943C0197d2eE0E5D05c716Be60cc2761508",
  v3_router: "0x59F2f1fCfE2474fD5F0b9BA1E73ca90b143Eb8d0",
  v3_positions: "0xC6bA8C3233eCF65B761049ef63466945c362EdD2",
  pair_weth_usdc: "0xbB3FD16dc98517e20d1033dB7223067F0fC3Ea94",
  pair_weth_usdt: "0xb4e3F7Dd9878c217a444BFef20FBEdCe22ED7A2D",
  pool_v3_weth_usdc: "0xB504F9Bc22DaaABb983FCA7c17190716f48E7EDc",
  ens_registry: "0x5C7c905B505f0Cf40Ab6600d05e677F717916F6B",
  ens_resolver: "0x0D4ff719551E23185Aeb16FFbF2ABEbB90635942",
  ens_reverse: "0x85C5Dd61585773423e378146D4bEC6f8D149E248",
  eth_registrar: "0xfbAb4aa40C202E4e80390171E82379824f7372dd",
  harbor: "0x0116686E2291dbd5e317F47faDBFb43B599786Ef",
  pair_harbor_weth: "0xE8f5f3d70b17532F3B10e9A371A4A988d19D531b",
  juniper: "0x2706A171ECb68E0038378D40Dd1d136361d0cB7d",
  pool_v3_juniper_usdc: "0xC680911Cb9BcF94Fb9FD73bE0E578F82559692d2",
  disperser: "0x162459Bb429a63D2e31Fe2d1cdb5b058f2D31AdF",
  sunrise: "0xEfDC2a236Dba7a8f60726b49abC79Ee6b22Ed445",
  pair_sunrise_usdc: "0x70e9e171061E9773476e772D9232d81E030BEa08",
  thin: "0x75afe612b0b6963f407aaBFbBc1096c1587456d9",
  pair_thin_weth: "0x89E1783DCFA565203b72e3442a0412F0436b8155",
  copper: "0xE0eEbD35B952c9C73a187edA3D669d9BcFD79006",
  drift: "0xD1d01555b5DC60ba330414be2266f4FAC195a32B",
  ephemeral_factory: "0xadAD55f56C23cF8B1286A3419bFeed055F1aDcb0",
  ephemeral_left: "0x459D5f55307f65962c71DDD2F30D2035234E2F4e",
  ephemeral_emptied: "0x9D72a49520366d5FbC8BbBDCe0378445b806f4FE",
  ephemeral_gone: "0xf64549F20b20E324cB0881d420e3F34f4b8D83fd",
  token_factory: "0x7Ec559176d42Af1fBf0B8b64CfA82c0B3431DE65",
  orchard: "0x7a928bc36AF240603bB364589015ad8f5d4f6Da1",
  meadow: "0xBF8505D85a762d8d5E3D1701baE8C2AdCd630974",
  forwarder: "0x8685A763F97b6228e4CF65F8B6993BFecc932e2b",
  postcards: "0x47456f745Ee61DA2181ba7336d96d78AC0707d5a",
  badges: "0x5e0F4dBEdBf633ddeB9A745a6e1681F987e2f618",
  honeypot: "0x6BdBb69660E6849b98e8C524d266a0005D3655F7",
  pair_honeypot_weth: "0xa3B13727A7DbB62Fa0126E81583da7b19D84E73a",
  moonlift: "0x5E81a027E3128876A666A42aBA6f6E38b20B4F2c",
  pair_moonlift_weth: "0xD62f676C020845930CBACA7662662978B1aF3969",
  toll: "0x125afB5f09A68324dF7EABc17896AdDEFB21348c",
  pair_toll_weth: "0xB41de6281789628E8fCBb0578e75B80275FD31dA",
  vault_v1: "0x10e80cfEf0509A003e351E77ec8Caf95CBA35D31",
  vault: "0x7558181f03cb8aE550722eEd2A99AFdA956F33b4",
  safe_singleton: "0xed17543171C1459714cdC6519b58fFcC29A3C3c9",
  safe_factory: "0x677df0cb865368207999F2862Ece576dC56D8dF6",
  judys_safe: "0x9dc179C0709EB6d9d9DA4a14F444AdEfA77539e2",
  fake_usdc: "0xaE1cd214B93e9b9F1af299010df62031EDEFC261",
  spam: "0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9",
  broken: "0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a",
  poisoner: "0x4425918ff69Fe214AC093710cF41216AE9149c3A",
  vault_v2: "0xe4B3D178F0F9644571d8f2f9921026b98edff6b2",
} as const satisfies Readonly<Record<string, HexText>>;

export type ContractName = keyof typeof DEMO_CONTRACTS;
