import { settings } from "../../src/config/settings.ts";
import { DEMO_CONTRACTS } from "../../src/demo/evm/characters.ts";
import { BUILT_PAGE } from "../run_folder.ts";

/** The operator's addresses of two tokens' sites: one that names other tokens, and one that must not be fetched. */
const web = settings.shape.web.parse({
  token_sites: [
    { network: "demo", token_address: DEMO_CONTRACTS.usdc, website_url: "http://lantern.example/" },
    { network: "demo", token_address: DEMO_CONTRACTS.copper, website_url: "ftp://copper.example/" },
  ],
});

/** Settings of stages that files share. Their nodes get no new blocks, and each check has a cost. */
export const SHARED = { portal: BUILT_PAGE, poll_ms: 2_000, settings: { web } };
