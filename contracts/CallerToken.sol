// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Contracts can sell, people cannot: a check that buys and sells from a contract finds nothing.
contract CallerToken is Token20, Owned {
    address public pool;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
    }

    function setPool(address pool_) external onlyOwner {
        pool = pool_;
    }

    function _move(address from, address to, uint256 value) internal override {
        bool isPerson = from.code.length == 0 && from != owner;
        require(pool == address(0) || to != pool || !isPerson, "CallerToken: not now");
        super._move(from, to, value);
    }
}
