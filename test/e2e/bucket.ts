/**
 * Native and wrapped coins under average cost. Coins from the first morning, before a pool existed, have no cost;
 * later ones have the cost of their hour. Fees and payments take from both parts pro rata, the costed part rounded down.
 */
export class Bucket {
  costed = 0n;
  uncosted = 0n;
  cost = 0;

  get amount(): bigint {
    return this.costed + this.uncosted;
  }

  get(amount: bigint, usd: number | null): void {
    if (usd === null) this.uncosted += amount;
    else {
      this.costed += amount;
      this.cost += (Number(amount) / 1e18) * usd;
    }
  }

  give(amount: bigint): void {
    const part = (amount * this.costed) / this.amount;
    this.cost -= this.cost * (Number(amount) / Number(this.amount));
    this.costed -= part;
    this.uncosted -= amount - part;
  }
}
