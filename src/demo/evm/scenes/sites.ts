import { type Act, ETHER, on, type Scene } from "../act.ts";
import { ours } from "../artifacts.ts";
import { METADATA_URL } from "../site.ts";
import type { Stage } from "../stage.ts";

const PURSE = 5n * ETHER;

const launch = async (stage: Stage): Promise<void> => {
  await stage.act({ from: "bank", to: "nora", value: PURSE, gas: 21_000 });
  const args = ["string,string,string,uint256", ["Lantern", "LTRN", METADATA_URL, 1_000_000n * ETHER]] as const;
  await stage.create("lantern", { from: "nora", code: ours("SiteToken"), args });
};

/** nora's token Lantern, whose contract names its site. */
export const sites: Scene = (stage): readonly Act[] => [{ at: on(69, 6), run: () => launch(stage) }];
