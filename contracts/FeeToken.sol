// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Takes a fee on every move: 5 % when bought from the pool, 8 % when sold to it, 1 % between wallets. The fee goes to
/// the token contract itself. The owner can change the fees up to 25 % and pays none.
contract FeeToken is Token20, Owned {
    uint256 public buyFeeBps = 500;
    uint256 public sellFeeBps = 800;
    uint256 public transferFeeBps = 100;
    mapping(address => bool) public isPool;

    uint256 private constant FEE_BPS_MAX = 2_500;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
    }

    function setPool(address pool, bool yes) external onlyOwner {
        isPool[pool] = yes;
    }

    function setFees(uint256 buyBps, uint256 sellBps, uint256 transferBps) external onlyOwner {
        require(buyBps <= FEE_BPS_MAX && sellBps <= FEE_BPS_MAX && transferBps <= FEE_BPS_MAX, "FeeToken: fee too high");
        buyFeeBps = buyBps;
        sellFeeBps = sellBps;
        transferFeeBps = transferBps;
    }

    function feeBps(address from, address to) public view returns (uint256) {
        if (from == owner || to == owner || from == address(this)) return 0;
        if (isPool[from]) return buyFeeBps;
        return isPool[to] ? sellFeeBps : transferFeeBps;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = (value * feeBps(from, to)) / 10_000;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}
