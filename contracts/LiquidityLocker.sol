// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IShares {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Keeps shares of pools until a time. Views as those of the UNCX v2 lockers
/// (uncx-network/liquidity-locker-univ2-contracts, UniswapV2Locker.sol): `tokenLocks` and `getNumLocksForToken`.
contract LiquidityLocker {
    struct TokenLock {
        uint256 lockDate;
        uint256 amount;
        uint256 initialAmount;
        uint256 unlockDate;
        uint256 lockID;
        address owner;
    }

    mapping(address => TokenLock[]) public tokenLocks;

    function getNumLocksForToken(address lpToken) external view returns (uint256) {
        return tokenLocks[lpToken].length;
    }

    function lockLPToken(address lpToken, uint256 amount, uint256 unlockDate) external {
        require(amount > 0 && unlockDate > block.timestamp && unlockDate < 10000000000, "terms");
        require(IShares(lpToken).transferFrom(msg.sender, address(this), amount), "transfer");
        uint256 id = tokenLocks[lpToken].length;
        tokenLocks[lpToken].push(TokenLock(block.timestamp, amount, amount, unlockDate, id, msg.sender));
    }

    function withdraw(address lpToken, uint256 index, uint256 amount) external {
        TokenLock storage lock = tokenLocks[lpToken][index];
        require(lock.owner == msg.sender && lock.unlockDate < block.timestamp && amount > 0, "locked");
        lock.amount -= amount;
        require(IShares(lpToken).transfer(msg.sender, amount), "transfer");
    }
}
