import { settings } from "../../src/config/settings.ts";
import { DEMO_CONTRACTS } from "../../src/demo/evm/characters.ts";
import { BUILT_PAGE } from "../run_folder.ts";

/** The operator says where two tokens have their sites: one that names others, and one that may not be asked. */
const web = settings.shape.web.parse({
  token_sites: [
    { network: "demo", token_address: DEMO_CONTRACTS.usdc, website_url: "http://lantern.example/" },
    { network: "demo", token_address: DEMO_CONTRACTS.copper, website_url: "ftp://copper.example/" },
  ],
});

/** How stages are opened that files share. There will be no news of their nodes, and each look costs. */
export const SHARED = { portal: BUILT_PAGE, poll_ms: 2_000, settings: { web } };
