import type { TokenVerdict } from "../../domain/token/verdict/verdict.ts";
import type { RiskOutput } from "./shape.ts";

export const NO_SCORE = "neither simulation nor code could be read";

/** Fields of the verdict; a score that could not be computed is omitted. */
export const verdictFields = ({ level, score, score_range }: TokenVerdict) => ({
  risk_level: level,
  ...(score === null ? {} : { security_score: score }),
  score_range,
});

/** Why the level is unknown. */
export const levelGap = ({ level_gap }: TokenVerdict): RiskOutput["unavailable"] =>
  level_gap === null ? [] : [{ field: "risk_overview.risk_level", reason: level_gap }];
