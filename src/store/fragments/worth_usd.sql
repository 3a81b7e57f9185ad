-- USD that pools pay for `moved` units at the price `unit_usd`, as in domain/valuation/worth.ts: as one constant
-- product of `unit_reserve` units (negative: not limited) that pays `payout_usd` at most. A sale that keeps 99 %
-- counts in full.
multiIf(
  moved = 0, 0,
  unit_reserve < 0, moved * unit_usd,
  least(payout_usd, unit_usd * unit_reserve * (moved / (unit_reserve + moved))) >= 0.99 * moved * unit_usd,
    moved * unit_usd,
  least(payout_usd, unit_usd * unit_reserve * (moved / (unit_reserve + moved))))
