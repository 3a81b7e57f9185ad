import { settings } from "../../src/config/settings.ts";
import { DEMO_CONTRACTS } from "../../src/demo/evm/characters.ts";

/** What the operator of the shared demo world says of tokens' sites: one that names others, and one that may not be asked. */
export const TOKEN_SITES = settings.shape.web.parse({
  token_sites: [
    { network: "demo", token_address: DEMO_CONTRACTS.usdc, website_url: "http://lantern.example/" },
    { network: "demo", token_address: DEMO_CONTRACTS.copper, website_url: "ftp://copper.example/" },
  ],
});
