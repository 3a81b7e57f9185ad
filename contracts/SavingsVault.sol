// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

interface IAsset {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// A vault of EIP-4626 over one asset: shares of all that it holds. Gifts to it raise the price of a share.
contract SavingsVault is Token20 {
    IAsset public immutable asset;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address asset_) {
        _describe(name_, symbol_, decimals_);
        asset = IAsset(asset_);
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = totalSupply == 0 ? assets : (assets * totalSupply) / totalAssets();
        require(asset.transferFrom(msg.sender, address(this), assets), "SavingsVault: nothing came");
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        require(owner == msg.sender, "SavingsVault: not yours");
        assets = (shares * totalAssets()) / totalSupply;
        _burn(owner, shares);
        require(asset.transfer(receiver, assets), "SavingsVault: nothing left");
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }
}
