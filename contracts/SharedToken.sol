// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Balances apart from the contracts that show them.
contract BalanceStore {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
    }
}

/// One of several faces of a store.
contract StoreFace {
    BalanceStore public store;

    constructor(BalanceStore store_) {
        store = store_;
    }

    function name() external pure returns (string memory) {
        return "Shared";
    }

    function symbol() external pure returns (string memory) {
        return "SHR";
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function totalSupply() external view returns (uint256) {
        return store.totalSupply();
    }

    function balanceOf(address account) external view returns (uint256) {
        return store.balanceOf(account);
    }
}
