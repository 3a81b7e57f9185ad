import { ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { METADATA_URL } from "../site.ts";

const PURSE = 5n * ETHER;

const launch = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "nora", value: PURSE, gas: 21_000 });
  const args = ["string,string,string,uint256", ["Lantern", "LTRN", METADATA_URL, 1_000_000n * ETHER]] as const;
  await stage.create("lantern", { from: "nora", code: projectCode("SiteToken"), args });
};

/** nora's token Lantern, whose contract names its site. */
export const sites: EvmScenario = (stage): readonly ScenarioAct[] => [{ at: on(69, 6), run: () => launch(stage) }];
